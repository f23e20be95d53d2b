import { renewTeam } from './team.ts'

// Runs before each file.
renewTeam()
