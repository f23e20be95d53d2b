import { needTexts } from '../../../text/text.ts'
import '../text.ts'

needTexts('several')

export { text } from '../../../text/text.ts'
