import '../../safe/text.ts'
import { needTexts } from '../../text/text.ts'

needTexts('compose')

export { text } from '../../text/text.ts'
