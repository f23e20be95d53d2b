import { type Finding, type FindingId, findingCatalogue } from '@countersign/review'

/** A finding for tests whose evidence is given as text: each value is read by the kind that the catalogue declares. */
export function findingFrom(id: FindingId, texts: Readonly<Record<string, string>>): Finding {
  const row = findingCatalogue[id]
  const specs: Readonly<Record<string, string>> = 'evidence' in row ? row.evidence : {}
  const values = Object.entries(texts).map(([name, said]) => [
    name,
    readValue(specs[name] ?? 'text', said, assetOf(name, texts)),
  ])
  return { id, severity: 'high', evidence: Object.fromEntries(values), where: {} } as Finding
}

function readValue(spec: string, said: string, asset: string | null): unknown {
  switch (spec.replace('?', '')) {
    case 'count':
    case 'number':
    case 'seconds':
      return BigInt(said)
    case 'total':
      return Number(said)
    case 'addresses':
    case 'accounts':
    case 'assets':
      return said.split(', ')
    case 'amount':
    case 'allowance':
      return { value: BigInt(said), asset }
    case 'stated-amount':
      return { text: said, asset }
    case 'flag':
      return said === 'yes'
    default:
      return said
  }
}

function assetOf(name: string, { token, asset, bought, beside, gasToken }: Readonly<Record<string, string>>) {
  if (name === 'least' || name === 'received') return bought ?? null
  if (name === 'besideAmount') return beside ?? null
  if (name === 'maximum') return gasToken === undefined || BigInt(gasToken) === 0n ? 'native' : gasToken
  return token ?? asset ?? null
}
