import '../../safe/text.ts'
import { needTexts } from '../../text/text.ts'

// Texts of what can still be executed, which no list shows.
needTexts('alive')

export { text } from '../../text/text.ts'
