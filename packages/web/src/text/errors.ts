import { needTexts } from './text.ts'

// Sentences of errors, for what writes them into lines of its own. A `Problem` asks for them when there is one.
needTexts('errors')

export { errorSentenceText } from './error-text.ts'
