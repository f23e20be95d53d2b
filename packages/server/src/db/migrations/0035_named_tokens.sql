ALTER TABLE "chain_follower" ADD COLUMN "named_tokens_from" bigint;--> statement-breakpoint
ALTER TABLE "chain_follower" ADD COLUMN "named_tokens_to" bigint;