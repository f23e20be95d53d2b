import webhooks from '../../text/en/webhooks.json'
import { addTexts } from '../../text/text.ts'

addTexts('webhooks', webhooks)

export { isTextKey, text } from '../../text/text.ts'
