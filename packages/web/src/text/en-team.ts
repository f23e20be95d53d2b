/** Texts of features/team. */
export const enTeam = {
  'team.title': 'Team',
  'team.owners': 'Owners',
  'team.owners.what': 'Owners are on the chain. They change by a transaction of the Safe.',
} as const satisfies Record<string, string>
