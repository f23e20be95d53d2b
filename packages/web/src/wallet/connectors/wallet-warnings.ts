import { knownWallets } from './known-wallets.ts'
import { lookOf, PAGE, TELLING_LENGTH } from './looks.ts'
import { fixedNames, type Wallet } from './wallets.ts'

/**
 * Why a name proves nothing: another program claims the same reverse domain name; the name looks like that of a known
 * wallet, or of another one in the list; another program uses the same id; the name mixes alphabets.
 */
export type WalletWarning =
  | { kind: 'sameName' | 'sameId' | 'mixedScripts'; rdns: string }
  | { kind: 'contested'; rdns: string; count: number }
  | { kind: 'imitates'; rdns: string; known: string }

/** Gives the warnings beside announced wallets, by their ids. Nothing here proves the identity of the others. */
export function walletWarnings(wallets: readonly Wallet[]): Map<string, WalletWarning> {
  const announced = wallets.flatMap(({ id, rdns, announced, claimants = 1 }) =>
    announced && rdns ? [{ id, rdns, ...announced, claimants, look: lookOf(announced.name) }] : [],
  )
  const looks = countBy(announced.map(({ look }) => look))
  const ids = countBy(announced.map(({ uuid }) => uuid))
  return new Map(
    announced.flatMap(({ id, rdns, name, uuid, claimants, look }): [string, WalletWarning][] => {
      const known = knownWithName(name)
      if (claimants > 1) return [[id, { kind: 'contested', rdns, count: claimants }]]
      if (known && !known.rdns.includes(rdns)) return [[id, { kind: 'imitates', rdns, known: known.name }]]
      if (uuid !== '' && (ids.get(uuid) ?? 0) > 1) return [[id, { kind: 'sameId', rdns }]]
      // Those that take a known wallet's name are marked, not the wallet itself.
      if (!known && (looks.get(look) ?? 0) > 1) return [[id, { kind: 'sameName', rdns }]]
      return mixesScripts(name) ? [[id, { kind: 'mixedScripts', rdns }]] : []
    }),
  )
}

type Known = { name: string; rdns: readonly string[]; look: string }

const known: Known[] = [...knownWallets, ...[...fixedNames, PAGE].map((name) => ({ name, rdns: [] }))].map(
  (wallet) => ({
    ...wallet,
    look: lookOf(wallet.name),
  }),
)

function knownWithName(name: string): Known | undefined {
  const look = lookOf(name)
  return (
    known.find((candidate) => candidate.look === look) ??
    known.find((candidate) => candidate.look.length >= TELLING_LENGTH && look.includes(candidate.look))
  )
}

function mixesScripts(name: string): boolean {
  return /\p{Script=Latin}/u.test(name) && /[\p{Script=Cyrl}\p{Script=Grek}\p{Script=Armn}\p{Script=Cher}]/u.test(name)
}

function countBy(values: string[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1)
  return counts
}
