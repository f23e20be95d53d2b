import '../../safe/text.ts'
import { needTexts } from '../../text/text.ts'

needTexts('create')

export { text } from '../../safe/text.ts'
