import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { root } from '../run.mjs'

// Link targets, and paths in code spans, must exist.
const problems = documentsIn(root).flatMap((file) => {
  const text = readFileSync(file, 'utf8').replace(/^```[\s\S]*?^```/gm, '')
  const links = [...text.matchAll(/\]\(([^)\s]+)\)/g)]
    .map((match) => match[1])
    .filter((target) => !/^([a-z]+:|#)/.test(target))
  const paths = [...text.matchAll(/`((?:packages|scripts|docs|bench|\.ci)\/[\w./-]*\w)`/g)].map((match) => match[1])
  return (
    [
      ...links.map((target) => ({ target, path: resolve(dirname(file), decodeURI(target.split('#')[0])) })),
      ...paths.map((target) => ({ target, path: join(root, target) })),
    ]
      // NAME stands for a name.
      .filter(({ path, target }) => !/NAME|NNNN/.test(target) && !existsSync(path))
      .map(({ target }) => `${relative(root, file)} names \`${target}\`, which does not exist.`)
  )
})

function documentsIn(directory) {
  return readdirSync(directory, { withFileTypes: true }).flatMap((entry) => {
    const path = join(directory, entry.name)
    if (entry.isDirectory()) {
      return /^(node_modules|dist|data|screenshots|vectors|\.git)$/.test(entry.name) ? [] : documentsIn(path)
    }
    return entry.name.endsWith('.md') ? [path] : []
  })
}

for (const problem of problems) console.error(problem)
process.exitCode = problems.length === 0 ? 0 : 1
