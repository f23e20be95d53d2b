import '../../safe/text.ts'
import { needTexts } from '../../text/text.ts'

// Texts of executing, which no list shows.
needTexts('execute')

export { text } from '../../text/text.ts'
