import compose from '../../text/en/compose.json'
import '../../review/text.ts'
import { addTexts } from '../../text/text.ts'

addTexts('compose', compose)

export { text } from '../../text/text.ts'
