import { enChains } from '../../text/en-chains.ts'
import { addTexts } from '../../text/text.ts'

addTexts('en', enChains)

export { text } from '../../text/text.ts'
