import '../../text/safe.ts'
import { needTexts } from '../../text/text.ts'

needTexts('workspace')

export { text } from '../../text/text.ts'
