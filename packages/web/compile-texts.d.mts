import type { Plugin } from 'vite'
import type { Message } from './src/text/text.ts'

export function compileMessage(text: string): Message
export function valuesOf(message: Message): Record<string, 'count' | 'value'>
export function pluralsOf(message: Message): string[][]
export function compileCatalogue(json: string, options?: { isPseudo?: boolean }): string
export function compileTexts(): Plugin
