import assets from '../../text/en/assets.json'
import '../../text/safe.ts'
import { addTexts } from '../../text/text.ts'

addTexts('assets', assets)

export { text } from '../../text/text.ts'
