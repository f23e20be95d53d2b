CREATE TABLE "chain_follower" (
	"chain_id" bigint PRIMARY KEY NOT NULL,
	"token" text NOT NULL,
	"head_block" bigint,
	"head_time" timestamp with time zone,
	"head_read_at" timestamp with time zone,
	"failure_code" text,
	"failing_since" timestamp with time zone,
	"disagreeing_hosts" jsonb,
	"disagreed_block" bigint
);
--> statement-breakpoint
ALTER TABLE "chain_cursor" ADD COLUMN "block_time" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "chain_cursor" DROP COLUMN "head_block";