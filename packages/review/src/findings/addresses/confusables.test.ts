import { describe, expect, it } from 'vitest'
import { skeletonOf } from './confusables.ts'

describe('skeletonOf', () => {
  it.each([
    ['Cyrillic', '\u041c\u0435t\u0430\u041c\u0430\u0455\u043a', 'MetaMask'],
    ['Greek capitals', '\u039c\u0391\u03a4\u0399C', 'MATIC'],
    ['a Greek capital among small letters', '\u039cetaMask', 'MetaMask'],
    ['Cyrillic capitals', '\u0412\u041d\u0422', 'BHT'],
    ['Cherokee', '\u13b7\u13aa\u13a2', 'MAT'],
    ['Lisu', '\ua4df\ua4ee\ua4e2', 'MAS'],
    ['small capitals', '\u1d0d\u1d07\u1d1b\u1d00', 'meta'],
    ['fullwidth', '\uff35\uff33\uff24\uff23', 'USDC'],
    ['mathematical', '\u{1d414}SDC', 'USDC'],
    ['zero-width and spaces', 'U\u200bS D\u2060C', 'USDC'],
    ['accents', '\u00dcSD\u0107', 'USDC'],
    ['digits', 'US0', 'USO'],
  ])('default: %s', (_, name, imitated) => expect(skeletonOf(name)).toBe(skeletonOf(imitated)))

  it('behavior: names of other letters differ', () => {
    expect(skeletonOf('DAI')).not.toBe(skeletonOf('DAO'))
  })
})
