import workspace from '../../text/en/workspace.json'
import '../../text/safe.ts'
import { addTexts } from '../../text/text.ts'

addTexts('workspace', workspace)

export { text } from '../../text/text.ts'
