import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../run.mjs'

/** Modules of each bundle, one file a bundle; `write-notices.mjs` reads them. */
export const modulesDirectory = join(root, 'dist/modules')

/**
 * A plugin for rolldown and Vite that writes down the modules in what it builds. Tree-shaken ones are not among them.
 *
 * @param {string | undefined} bundle name of the bundle, as the notices call it; that of its entry, where it has none
 */
export function collectModules(bundle) {
  return {
    name: 'collect-modules',
    // A Worker is never written as a bundle of its own: the page's build takes what was generated.
    generateBundle: {
      order: 'post',
      handler(_options, output) {
        const files = Object.values(output)
        const chunks = files.filter((file) => file.type === 'chunk')
        const modules = chunks.flatMap((chunk) => chunk.moduleIds)
        // Tailwind writes its reset and its utilities into the style sheet, which has no modules.
        if (files.some(({ fileName }) => fileName.endsWith('.css'))) modules.push('tailwindcss')
        mkdirSync(modulesDirectory, { recursive: true })
        writeFileSync(
          join(modulesDirectory, `${bundle ?? chunks.find(({ isEntry }) => isEntry)?.name}.json`),
          `${JSON.stringify([...new Set(modules)].sort(), null, 1)}\n`,
        )
      },
    },
  }
}
