import { enBalances } from '../../text/en-balances.ts'
import { addTexts } from '../../text/text.ts'

addTexts('en', enBalances)

export { text } from '../../text/text.ts'
