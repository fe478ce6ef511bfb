package text

const frenchStop = `
le la les un une des du de au aux ce cet cette ces mon ma mes ton ta tes son sa ses notre nos votre vos leur leurs je tu
il elle on nous vous ils elles me te se lui eux moi toi soi en ceci cela ça celui celle ceux celles qui que quoi dont où
lequel laquelle lesquels lesquelles auquel auxquels duquel desquels quel quelle quels quelles chaque chacun chacune
aucun aucune autre autres certains certaines même mêmes plusieurs quelque quelques tel telle tels telles tout toute tous
toutes rien personne et ou mais donc or ni car si comme quand lorsque puisque parce tandis afin ainsi alors aussi avant
après avec chez contre dans depuis derrière dès devant durant entre envers hors jusque jusqu malgré par parmi pendant
pour sans sauf selon sous sur vers voici voilà via ne pas plus moins très trop peu beaucoup bien encore déjà jamais
toujours souvent parfois puis ensuite enfin ici là non oui assez autant presque plutôt seulement surtout notamment
environ cependant toutefois pourtant lors quant qu lorsqu puisqu quelqu aujourd hui être suis es est sommes êtes sont
étais était étions étiez étaient fus fut fûmes furent serai sera serons seront serait seraient soit soient été étant
avoir ai as avons avez ont avais avait avions aviez avaient eut eurent aura auront aurait auraient ait aient eu ayant
faire fait font peut peuvent pouvait doit doivent va vont
`

const spanishStop = `
el la los las un una unos unas lo al del este esta estos estas ese esa esos esas aquel aquella aquellos aquellas esto
eso aquello mi mis tu tus su sus nuestro nuestra nuestros nuestras vuestro vuestra vuestros vuestras mío mía míos mías
tuyo tuya suyo suya suyos suyas yo tú él ella ello nosotros nosotras vosotros vosotras ellos ellas usted ustedes me te
se le les nos os mí ti sí quien quienes que qué cual cuales cuál cuáles cuyo cuya cuyos cuyas alguien algo algún alguno
alguna algunos algunas ningún ninguno ninguna nadie nada otro otra otros otras mismo misma mismos mismas todo toda todos
todas cada varios varias mucho mucha muchos muchas poco poca pocos pocas tanto tanta tantos tantas ambos de en con por
para sin sobre entre hasta desde hacia contra según durante mediante tras ante bajo pero si porque como cuando donde
dónde cuándo cómo aunque mientras pues sino ni también tampoco ya aún más menos muy no bien así aquí allí ahí ahora
antes después luego siempre nunca casi sólo solo además entonces todavía incluso ser es soy eres somos sois son era eras
éramos eran fui fue fuimos fueron sea sean sería serían será serán siendo sido fuera fueran estar estoy está estamos
están estaba estaban estuvo esté estén estado haber he has ha hemos habéis han había habían hubo haya hayan hay habrá
habría tener tengo tiene tenemos tienen tenía tenían tuvo puede pueden podía hacer hace hacen hizo debe deben
`

const italianStop = `
il lo la gli le un uno una del dello della dell dei degli delle al allo alla all ai agli alle dal dallo dalla dall dai
dagli dalle nel nello nella nell nei negli nelle sul sullo sulla sull sui sugli sulle col coi di da in con su per tra
fra contro senza verso presso durante secondo mediante io tu lui lei noi voi loro mi ti ci vi si ne me te sé mio mia
miei mie tuo tua tuoi tue suo sua suoi sue nostro nostra nostri nostre vostro vostra vostri vostre questo questa questi
queste quello quella quelli quelle quel quei quegli quell quest ciò chi che cui quale quali quanto quanta quanti quante
qualche alcuni alcune alcuno alcuna nessuno nessuna niente nulla altro altra altri altre ogni ognuno tutto tutta tutti
tutte stesso stessa stessi stesse molto molta molti molte poco pochi ed od ma se perché anche come dove quando mentre
oppure però quindi dunque poiché né non più meno già ancora sempre mai così qui qua là lì ora poi prima dopo solo bene
forse infatti inoltre cioè essere sono sei siamo siete era erano ero eravamo fu furono sarà saranno sarebbe sarebbero
sia siano stato stata stati state essendo avere ho hai ha abbiamo avete hanno avevo aveva avevano avuto ebbe abbia
abbiano avrà avranno avrebbe fare fa fanno facendo fatto può possono deve devono sta stanno viene vengono
`

const portugueseStop = `
os as um uma uns umas do da dos das no na nos nas ao aos às pelo pela pelos pelas num numa dum duma este esta estes
estas esse essa esses essas aquele aquela aqueles aquelas isto isso aquilo deste desta destes destas desse dessa neste
nesta nesse nessa meu minha meus minhas teu tua teus tuas seu sua seus suas nosso nossa nossos nossas eu tu ele ela nós
vós eles elas você vocês me te se lhe lhes vos mim si quem que qual quais cujo cuja cujos cujas quanto quantos algum
alguma alguns algumas nenhum nenhuma ninguém nada alguém algo outro outra outros outras mesmo mesma mesmos mesmas todo
toda todos todas cada muito muita muitos muitas pouco poucos tanto tantos vários várias ambos de em com por para sem
sobre entre até desde contra segundo durante após perante sob mas ou porque pois como quando onde embora enquanto nem
também já ainda mais menos não sim bem assim aqui ali lá agora antes depois sempre nunca quase só apenas além então tão
ser sou és somos são era eram fui foi fomos foram seja sejam seria seriam será serão sendo sido fosse fossem estar estou
está estamos estão estava estavam esteve esteja estejam ter tenho tem temos têm tinha tinham teve tiveram tenha tenham
terá teria tido haver há havia houve haja pode podem poderia fazer faz fazem fez deve devem dele dela deles delas nele
nela neles nelas daquele daquela naquele naquela
`
