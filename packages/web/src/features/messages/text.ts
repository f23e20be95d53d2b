import '../../text/lists.ts'
import { needTexts } from '../../text/text.ts'

// A message passes the same review, and is told in the same words.
needTexts('messages')

export { text } from '../../text/text.ts'
