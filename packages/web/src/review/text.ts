import acknowledgements from '../text/en/acknowledgements.json'
import alive from '../text/en/alive.json'
import callFindings from '../text/en/call-findings.json'
import findings from '../text/en/findings.json'
import reverts from '../text/en/reverts.json'
import review from '../text/en/review.json'
import simulation from '../text/en/simulation.json'
import titles from '../text/en/titles.json'
import transactions from '../text/en/transactions.json'
import '../text/safe.ts'
import { addTexts } from '../text/text.ts'

// The texts of these screens are more than half of the catalogue, and come with the screens.
addTexts('titles', titles)
addTexts('alive', alive)
addTexts('transactions', transactions)
addTexts('review', review)
addTexts('findings', findings)
addTexts('acknowledgements', acknowledgements)
addTexts('call-findings', callFindings)
addTexts('reverts', reverts)
addTexts('simulation', simulation)

export { isTextKey, text, textPieces } from '../text/text.ts'
