package text

// The lists of the languages besides English have the articles, pronouns, prepositions, conjunctions, auxiliary verbs and
// common adverbs that the stop words of Snowball have (snowballstem.org, by Martin Porter and others, BSD licence), written
// anew and without the words that can be a topic. Words of one letter are in no list: they are all left out. Each list has
// some of the most frequent words of its language, so that it also tells which language a text is in.

const germanStop = `
der die das den dem des ein eine einen einem einer eines kein keine keinen keinem keiner keines dies diese diesem diesen
dieser dieses jene jenem jenen jener jenes welche welchem welchen welcher welches solche solchem solchen solcher solches
derselbe dieselbe dasselbe jede jedem jeden jeder jedes alle allem allen aller alles manche manchem manchen mancher
manches einige einigem einigen einiger einiges viele vielen vieler beide beiden anderer andere anderem anderen anderes
anderm andern ich mich mir mein meine meinem meinen meiner meines du dich dir dein deine deinem deinen deiner deines er
ihn ihm sein seine seinem seinen seiner seines sie ihr ihre ihrem ihren ihrer ihres es wir uns unser unsere unserem
unseren unserer unseres euch euer eure eurem euren eurer eures ihnen man sich selbst etwas nichts jemand niemand wer wen
wem wessen was und oder aber denn sondern sowie sowohl als auch dass daß weil wenn ob obwohl damit indem während bevor
nachdem bis falls wie so dann also doch jedoch noch schon nur sehr nicht nie immer wieder hier dort da dabei dafür
dagegen daher daran darauf daraus darin darüber darum davon davor dazu hin her hinter jetzt nun mal mehr meist ganz etwa
fast gegen ohne um zu zum zur an am auf aus bei beim durch für im in ins mit nach über unter vom von vor wegen zwischen
seit sonst weiter wo wohin woher warum wieso weshalb wann zwar bereits sogar eben einmal heute bin bist ist sind seid
war waren warst wurde wurden wird werden werde worden geworden gewesen sei seien wäre wären habe haben hast hat hatte
hatten hätte hätten gehabt kann können könnte könnten konnte konnten muss müssen musste mussten muß müßte soll sollen
sollte sollten will wollen wollte wollten darf dürfen durfte mag mögen möchte würde würden lassen lässt gibt
`

const dutchStop = `
de het een der des den die dat deze dit ik mij me mijn jij je jou jouw jullie hij hem zijn haar hun hen ze zij wij we
ons onze uw zich zelf men iets niets iemand niemand wie wat welke welk wiens al alle alles ander andere anderen beide
elk elke enkele geen genoeg ieder iedere iedereen meer meest minder sommige veel vele weinig zo zulke en of maar want
dus toch noch als dan doordat hoewel indien mits nadat omdat opdat sinds tenzij terwijl toen totdat voordat wanneer waar
waarom hoe aan achter af bij binnen boven buiten door in langs met na naar naast om omtrent onder op over per rond te
tegen tijdens tot tussen uit van vanaf vanuit via volgens voor voorbij zonder er hier daar daarom daarna daarmee
daarvoor hierdoor hiermee ook nog nu reeds altijd nooit soms vaak weer even heel zeer alleen bijna eens echter ja nee
niet wel misschien samen zoals zodat verder eerst ben bent is was waren wees geweest zou zouden zal zullen worden wordt
werd werden geworden heb hebben hebt heeft had hadden gehad kan kunnen kon konden moet moeten moest moesten mag mogen
mocht wil willen wilde doen doet deed gedaan gaan gaat ging laten laat
`

const swedishStop = `
och det att en ett den de som på är av för med till han hon hans hennes hade har inte om var vi jag mig min mitt mina du
dig din ditt dina ni er ert era oss vår vårt våra honom henne dem deras denna detta dessa denne sin sitt sina man sig
själv sådan sådant sådana någon något några ingen inget inga vilken vilket vilka varje alla allt annan annat andra båda
mycket många mer mest mindre men eller samt så då än när där här hur vad vem vars varför eftersom medan innan efter
därför dock bara också även redan nu ju åt vid från under över mellan mot utan genom bland kring ur upp ut in ner hos
inom enligt sedan igen kanske aldrig alltid blir bli blev blivit vara varit vore skulle ska skall kan kunna kunde måste
vill ville får fick finns fanns göra gör gjorde
`

const danishStop = `
og jeg det at en den til er som på de med han af for ikke der var mig sig men et har om vi min havde ham hun nu over da
fra du ud sin dem os op man hans hvor eller hvad skal selv her alle vil blev kunne ind når være dog noget ville jo deres
efter ned skulle denne end dette mit også under have dig anden hende mine alt meget sit sine vor mod disse hvis din
nogle hos blive mange ad bliver hendes været jer sådan andre andet bare begge blandt bør dens dit dine enten eneste få
får fik gennem hen hver hvert hvilken hvilket hvilke hvordan hvorfor igen ingen intet kan må måske mellem mens mere mest
mindre netop nogen næsten omkring sammen samt siden således thi uden ved vores aldrig altid både derfor dermed derpå
efterhånden ellers
`

const norwegianStop = `
og jeg det at en et den til er som på de med han av ikke ikkje der så var meg seg men ett har om vi min mitt ha hadde
hun nå over da ved fra du ut sin dem oss opp man kan hans hvor eller hva skal selv sjøl her alle vil bli ble blei blitt
kunne inn når være kom noen noe ville dere deres kun ja etter ned skulle denne for deg si sine sitt mot meget hvorfor
dette disse uten hvordan ingen din ditt blir samme hvilken hvilke sånn inni mellom vår hver hvem vors hvis både bare enn
fordi før mange også slik vært båe begge siden dykk dykkar dei deira deires deim di då eg ein eit eitt elles honom hjå
ho henne hennar hennes hossen ingi inkje korleis korso kva kvar kvarhelst kven kvi kvifor me medan mi mine mykje no
nokon noka nokor noko nokre sia sidan so somt somme um upp vere vore verte vort varte vart måtte må få får fikk gjennom
blant igjen mye mer mest flere aldri alltid annen annet andre allerede ennå dersom derfor likevel
`
