import '../../text/safe.ts'
import { needTexts } from '../../text/text.ts'

needTexts('assets')

export { text } from '../../text/text.ts'
