import bring from '../../text/en/bring.json'
import { addTexts } from '../../text/text.ts'

addTexts('bring', bring)

export { text } from '../../text/text.ts'
