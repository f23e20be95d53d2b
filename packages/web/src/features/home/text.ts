import '../../text/safe.ts'
import { needTexts } from '../../text/text.ts'

needTexts('my-safes')

export { text } from '../../text/text.ts'
