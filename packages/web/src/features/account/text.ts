import account from '../../text/en/account.json'
import { addTexts } from '../../text/text.ts'

addTexts('account', account)

export { text } from '../../text/text.ts'
