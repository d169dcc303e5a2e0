package tidepool.contracts.broken;

import java.util.ArrayList;
import java.util.List;

/** The broken fabrics. Each has one defect. Add every new kind of bug that is found in a fabric. */
final class Defects {
    private Defects() {}

    static List<Defect> all() {
        List<Defect> all = new ArrayList<>();
        OrderDefects.order(all);
        AtomicityDefects.atomicity(all);
        AccessDefects.access(all);
        FailureDefects.failures(all);
        SessionDefects.sessions(all);
        AnswerDefects.answers(all);
        AnswerDefects.rarities(all);
        CountingDefects.counting(all);
        MistakeDefects.mistakes(all);
        TimeDefects.inTime(all);
        FollowingDefects.following(all);
        return all;
    }
}
