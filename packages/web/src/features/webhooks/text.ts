import { needTexts } from '../../text/text.ts'

needTexts('webhooks')

export { isTextKey, text } from '../../text/text.ts'
