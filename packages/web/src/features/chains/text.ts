import chains from '../../text/en/chains.json'
import { addTexts } from '../../text/text.ts'

addTexts('chains', chains)

export { text } from '../../text/text.ts'
