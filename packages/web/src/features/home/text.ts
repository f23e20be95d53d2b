import mySafes from '../../text/en/my-safes.json'
import '../../text/safe.ts'
import { addTexts } from '../../text/text.ts'

addTexts('my-safes', mySafes)

export { text } from '../../text/text.ts'
