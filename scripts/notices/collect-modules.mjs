import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../run.mjs'

/** Modules of each bundle, one file a bundle; `write-notices.mjs` reads them. */
export const modulesDirectory = join(root, 'dist/modules')

/**
 * A plugin for rolldown and Vite that writes down the modules in what it builds. Tree-shaken ones are not among them.
 *
 * @param {string} bundle name of the bundle, as the notices call it
 */
export function collectModules(bundle) {
  return {
    name: 'collect-modules',
    // A Worker is never written as a bundle of its own: the page's build takes what was generated.
    generateBundle: {
      order: 'post',
      handler(_options, output) {
        const files = Object.values(output)
        const modules = files.flatMap((file) => (file.type === 'chunk' ? file.moduleIds : []))
        // Tailwind writes its reset and its utilities into the style sheet, which has no modules.
        if (files.some(({ fileName }) => fileName.endsWith('.css'))) modules.push('tailwindcss')
        mkdirSync(modulesDirectory, { recursive: true })
        writeFileSync(
          join(modulesDirectory, `${bundle}.json`),
          `${JSON.stringify([...new Set(modules)].sort(), null, 1)}\n`,
        )
      },
    },
  }
}
