import '../../review/text.ts'
import { needTexts } from '../../text/text.ts'

needTexts('create')

export { text } from '../../review/text.ts'
