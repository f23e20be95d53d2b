-- Nothing says how an earlier session was proven: everybody verifies once more.
DELETE FROM "session";--> statement-breakpoint
DELETE FROM "sign_in_nonce";--> statement-breakpoint
ALTER TABLE "sign_in_nonce" SET UNLOGGED;--> statement-breakpoint
CREATE TABLE "waiting_sign_in" (
	"nonce" text PRIMARY KEY NOT NULL,
	"browser_hash" "bytea" NOT NULL,
	"address" "bytea" NOT NULL,
	"chain_id" bigint NOT NULL,
	"message" text NOT NULL,
	"issued_at" timestamp with time zone NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"spent_at" timestamp with time zone
);
--> statement-breakpoint
ALTER TABLE "session" ADD COLUMN "id" text NOT NULL;--> statement-breakpoint
ALTER TABLE "session" ADD COLUMN "proven_by" text NOT NULL;--> statement-breakpoint
ALTER TABLE "session" ADD COLUMN "is_framed" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "session" ADD COLUMN "user_agent" text;--> statement-breakpoint
ALTER TABLE "session" ADD COLUMN "client_address" text;--> statement-breakpoint
ALTER TABLE "sign_in_nonce" ADD COLUMN "issued_at" timestamp with time zone NOT NULL;--> statement-breakpoint
ALTER TABLE "sign_in_nonce" ADD COLUMN "spent_at" timestamp with time zone;--> statement-breakpoint
CREATE INDEX "waiting_sign_in_expires_at" ON "waiting_sign_in" USING btree ("expires_at");--> statement-breakpoint
CREATE UNIQUE INDEX "session_id" ON "session" USING btree ("id");--> statement-breakpoint
CREATE INDEX "session_address" ON "session" USING btree ("address","created_at" DESC NULLS LAST);--> statement-breakpoint
ALTER TABLE "sign_in_nonce" DROP COLUMN "waits_for_owners";