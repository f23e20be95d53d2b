import { existsSync, readFileSync } from 'node:fs'
import { type Plugin, parseSync, Visitor } from 'vite'

/**
 * Leaves the English sentences of errors out of the page, which has them in each language, by their codes. An error of
 * `safe` then has its code where it otherwise has its sentence.
 */
export function leaveSentencesOut(): Plugin {
  return {
    name: 'leave-sentences-out',
    apply: 'build',
    enforce: 'pre',
    transform: {
      filter: { id: /safe[\\/]src[\\/]error-sentences\.ts$/ },
      handler: () =>
        "import { failWith } from './error.ts'\nexport const coreSentences = {}\nexport const fail = failWith(coreSentences)",
    },
  }
}

/**
 * Leaves out the English causes and remedies of what official contracts revert with: a page has them in each language, by
 * their ids.
 */
export function leaveReasonsOut(): Plugin {
  return {
    name: 'leave-reasons-out',
    apply: 'build',
    enforce: 'pre',
    transform: {
      filter: { id: /safe[\\/]src[\\/]safe[\\/](?:gs-codes|revert-reasons)\.ts$/ },
      handler(code) {
        const said: Span[] = []
        new Visitor({
          VariableDeclarator({ id, init }) {
            if (id.type !== 'Identifier' || !/^(?:table|ownMeaning)$/.test(id.name)) return
            if (init?.type !== 'ObjectExpression') return
            for (const row of init.properties)
              if (row.type === 'Property' && row.value.type === 'ArrayExpression')
                for (const words of row.value.elements.slice(0, 2)) if (words) said.push(words)
          },
        }).visit(parseSync('reasons.ts', code).program)
        return { code: replaceEach(code, said, "''"), map: null }
      },
    },
  }
}

/** Leaves out on what each finding rests, by contract and standard: it is for who reads the catalogue, and no page says it. */
export function leaveBasesOut(): Plugin {
  return {
    name: 'leave-bases-out',
    apply: 'build',
    enforce: 'pre',
    transform: {
      filter: { id: /review[\\/]src[\\/]catalogue\.ts$/ },
      handler: (code) => ({ code: code.replace(/, source: (?:'[^'\n]*'|"[^"\n]*")(?= \})/g, ''), map: null }),
    },
  }
}

/** Fields of an operation that only the server and the documents read. */
const described = new Set(['name', 'summary', 'session', 'anyChain', 'errors'])

/** Leaves out of each operation what describes it: a page calls it by method and path, and reads the answer by its schema. */
export function leaveDescriptionsOut(): Plugin {
  return {
    name: 'leave-descriptions-out',
    apply: 'build',
    enforce: 'pre',
    transform: {
      filter: { id: /contract[\\/]src[\\/].+\.ts$/, code: /\bendpoint\(\{/ },
      handler(code) {
        const cuts: Span[] = []
        new Visitor({
          CallExpression({ callee, arguments: [definition] }) {
            if (callee.type !== 'Identifier' || callee.name !== 'endpoint') return
            if (definition?.type !== 'ObjectExpression') return
            for (const property of definition.properties) {
              if (property.type !== 'Property' || property.key.type !== 'Identifier') continue
              if (described.has(property.key.name)) cuts.push(withComma(code, property))
            }
          },
        }).visit(parseSync('contract.ts', code).program)
        return { code: replaceEach(code, cuts, ''), map: null }
      },
    },
  }
}

/** Leaves out copies of curves and hashes that two packages of the EVM each bring, where the files are the same. */
export function leaveCopiesOut(): Plugin {
  return {
    name: 'leave-copies-out',
    apply: 'build',
    enforce: 'pre',
    resolveId: {
      filter: { id: /^@noble\// },
      async handler(source, importer, options) {
        const own = await this.resolve(source, importer, { ...options, skipSelf: true })
        const other = own?.id.replace(/@ethereumjs([\\/])util(?=[\\/]node_modules[\\/])/, '@ethereumjs$1evm')
        if (!own || !other || !existsSync(other)) return null
        return readFileSync(other).equals(readFileSync(own.id)) ? { ...own, id: other } : null
      },
    },
  }
}

type Span = { start: number; end: number }

/** A field with the comma behind it, if there is one. */
function withComma(code: string, { start, end }: Span): Span {
  return { start, end: end + (/^\s*,/.exec(code.slice(end))?.[0].length ?? 0) }
}

/** Puts the same text in the place of each span; none lies within another. */
function replaceEach(code: string, spans: readonly Span[], by: string): string {
  return spans
    .toSorted((a, b) => b.start - a.start)
    .reduce((rest, { start, end }) => rest.slice(0, start) + by + rest.slice(end), code)
}
