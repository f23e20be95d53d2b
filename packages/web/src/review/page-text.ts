import device from '../text/en/device.json'
import guide from '../text/en/guide.json'
import imports from '../text/en/import.json'
import { addTexts } from '../text/text.ts'

// Texts of the page of a transaction or a message, which no list shows.
addTexts('import', imports)
addTexts('device', device)
addTexts('guide', guide)

export { text } from './text.ts'
