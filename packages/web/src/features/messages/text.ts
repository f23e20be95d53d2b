import messages from '../../text/en/messages.json'
import { addTexts } from '../../text/text.ts'
// A message passes the same review, and is told in the same words.
import '../../review/text.ts'

addTexts('messages', messages)

export { text } from '../../text/text.ts'
