import acknowledgements from '../text/en/acknowledgements.json'
import callFindings from '../text/en/call-findings.json'
import device from '../text/en/device.json'
import findings from '../text/en/findings.json'
import imports from '../text/en/import.json'
import reverts from '../text/en/reverts.json'
import review from '../text/en/review.json'
import transactions from '../text/en/transactions.json'
import { addTexts } from '../text/text.ts'

// The texts of these screens are more than half of the catalogue, and come with the screens.
addTexts('transactions', transactions)
addTexts('review', review)
addTexts('findings', findings)
addTexts('acknowledgements', acknowledgements)
addTexts('call-findings', callFindings)
addTexts('import', imports)
addTexts('device', device)
addTexts('reverts', reverts)

export { isTextKey, text, textPieces } from '../text/text.ts'
