import { enMessages } from '../../text/en-messages.ts'
import { addTexts } from '../../text/text.ts'
// A message passes the same review, and is told in the same words.
import '../../review/text.ts'

addTexts('en', enMessages)

export { text } from '../../text/text.ts'
