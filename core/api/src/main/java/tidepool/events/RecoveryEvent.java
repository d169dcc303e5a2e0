package tidepool.events;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import tidepool.protocol.Recovery;

/** The recovery of a session by this process: its result and its duration. The recorder reads the fields. */
@Name("tidepool.Recovery")
@Label("Recovery")
@Category("Tidepool")
@Description("A session was recovered: what it left was finished or undone")
@StackTrace(false)
public final class RecoveryEvent extends Event {
    @Label("Session")
    int session;

    @Label("Coordinators")
    int coordinators;

    @Label("Finished")
    @Description("Transactions whose commit was completed")
    int finished;

    @Label("Undone")
    @Description("Transactions that were rolled back")
    int undone;

    @Label("Ended")
    @Description("Transactions that had a log and needed nothing, or only a mark taken off")
    int ended;

    @Label("Stragglers")
    @Description("Marks of ended transactions that were taken off on backups")
    int stragglers;

    @Label("Torn Logs")
    int tornLogs;

    @Label("Locks Freed")
    @Description("Locks behind which nothing had been written")
    int locksFreed;

    /** Called when the recovery is over. */
    public void done(Recovery.Report report) {
        if (!shouldCommit()) return;
        session = report.session();
        coordinators = report.coordinators();
        finished = report.finished();
        undone = report.undone();
        ended = report.ended();
        stragglers = report.stragglers();
        tornLogs = report.tornLogs();
        locksFreed = report.locksFreed();
        commit();
    }
}
