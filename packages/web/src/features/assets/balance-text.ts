import balances from '../../text/en/balances.json'
import { addTexts } from '../../text/text.ts'

addTexts('balances', balances)

export { text } from '../../text/text.ts'
