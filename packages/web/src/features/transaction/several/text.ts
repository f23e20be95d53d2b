import { needTexts } from '../../../text/text.ts'
import '../../../review/text.ts'

needTexts('several')

export { text } from '../../../text/text.ts'
