import type { Plugin } from 'vite'

export function compileAbis(code: string): string
export function compileAbisOfModules(): Plugin
