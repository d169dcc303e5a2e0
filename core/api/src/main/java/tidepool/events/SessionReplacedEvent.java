package tidepool.events;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;

/** The replacement of a failed session of this process by another one. */
@Name("tidepool.SessionReplaced")
@Label("Session Replaced")
@Category("Tidepool")
@Description("A failure of the fabric ended a session of this process; it was revoked, replaced and recovered")
public final class SessionReplacedEvent extends Event {
    @Label("Failed Session")
    int failed;

    @Label("Replacement")
    int replacement;

    @Label("Reason")
    String reason;

    /** Called when the new session has recovered what the failed session left. */
    public void done(int failedSession, int newSession, String why) {
        if (!shouldCommit()) return;
        failed = failedSession;
        replacement = newSession;
        reason = why;
        commit();
    }
}
