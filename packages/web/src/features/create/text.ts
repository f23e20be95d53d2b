import create from '../../text/en/create.json'
import '../../review/text.ts'
import { addTexts } from '../../text/text.ts'

addTexts('create', create)

export { text } from '../../review/text.ts'
