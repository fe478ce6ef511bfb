package text

const finnishStop = `
olla olen olet on olemme olette ovat ole oli olin olisi olisit olisin olisimme olivat olit olleet ollut ei en et emme
ette eivät älä minä minun minut minua minussa minulla minulle sinä sinun sinut sinua sinulla sinulle hän hänen hänet
häntä hänellä hänelle me meidän meidät meitä meillä meille te teidän teidät teitä teillä teille he heidän heidät heitä
heillä heille tämä tämän tätä tässä tästä tähän tällä tältä tälle tänä täksi tuo tuon tuota tuossa tuosta tuohon tuolla
se sen sitä siinä siitä siihen sillä siltä sille siksi nämä näiden näitä näissä näistä näihin näillä näille nuo noiden
noita ne niiden niitä niissä niistä niihin niillä niiltä niille kuka kenen keitä ketä ketkä mikä minkä mitä missä mistä
mihin millä miksi mitkä joka jonka jota jossa josta johon jolla jolta jolle jotka joiden joita joissa joista joihin
joilla kaikki kaikkien muu muut muita moni monet joku jokin jotkut itse sama samaa että ja jos koska kuin mutta niin
sekä tai vai vaan vaikka eli kun myös kanssa mukaan noin poikki yli ennen jälkeen asti ilman kautta sitten jo nyt vielä
aina usein enää hyvin erittäin melko ehkä siis kuitenkin lisäksi esimerkiksi voi voivat voisi voidaan tulee tulla pitää
täytyy saa saada ollaan ollessa
`

const hungarianStop = `
az és hogy nem is egy azt meg csak már de ha mint még ez el volt ki kell lehet azonban mert vagy minden fel amely be le
után amelyek aki akik ami amit amelyet mely melyek mi mit mivel miért hogyan hol ahol amikor mikor akkor így úgy itt ott
most majd én te ti ők engem téged őt minket titeket őket nekem neked neki nekünk nektek nekik saját maga magát mások más
másik ezt ezek azok abban abból arra arról attól azzal ebben ebből erre ezzel ehhez ettől ezért azért ennek annak ezen
azon által alatt között közben felett fölött előtt mellett ellen szerint számára nélkül óta keresztül helyett miatt
végül van vannak voltak voltam volna lenne lesz lesznek legyen lett nincs nincsen sem se sincs tehát illetve valamint
vagyis ugyanis ugyanakkor pedig ám hiszen amíg mielőtt mindig soha néha gyakran talán egyes egyik néhány több sok kevés
össze teljes nagyon inkább igen ezután azután utána ahogy mintha jól rá ide oda vele lenni tud tudja lehetett kellett
`

const russianStop = `
во не что он на со как то все всё она так его но да ты же вы за бы по только ее её мне было вот от меня еще ещё нет из
ему теперь когда даже ну вдруг ли если уже или ни быть был него до вас нибудь опять уж вам ведь там потом себя ничего ей
может они тут где есть надо ней для мы тебя их чем была сам чтоб без будто чего раз тоже себе под будет тогда кто этот
того потому этого какой совсем ним здесь этом один почти мой тем чтобы нее неё сейчас были куда зачем всех никогда можно
при наконец два об другой хоть после над больше тот через эти нас про всего них какая много разве три эту моя впрочем
свою этой перед иногда лучше чуть том нельзя такой им более всегда конечно всю между это эта этих этим та те той тех
тому также который которая которое которые которого которой которых которым которому которую чьё мои моей наш наша наше
наши нашей ваш ваша ваши свой своя своё свои своей своих сама само сами самый весь вся всем всеми такая такие такое
каждый каждая любой иной другие других другого будут буду будем являлся является являются стал стала стали мог могла
могут можем должен должна должны именно либо однако затем лишь почему поэтому пока среди около вместо кроме против ради
`
