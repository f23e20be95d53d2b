import several from '../../../text/en/several.json'
import '../../../review/text.ts'
import { addTexts } from '../../../text/text.ts'

addTexts('several', several)

export { text } from '../../../text/text.ts'
