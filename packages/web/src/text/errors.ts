import errors from './en/errors.json'
import { addTexts } from './text.ts'

// The first page has the texts of the few errors that can keep others from coming.
addTexts('errors', errors)
