ALTER TABLE "session" ADD COLUMN "revoked_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "waiting_sign_in" ADD COLUMN "pending" jsonb;