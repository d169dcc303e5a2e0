package tidepool.workload;

import tidepool.base.Checks;
import tidepool.workload.site.Site;

/**
 * The plan of a {@link KillCampaign}.
 *
 * @param fabric one of {@link Site#FABRICS}
 * @param kills number of processes that are killed
 * @param faults number of other faults between the kills, of every {@link Fault} in turn; only on {@code tcp}
 * @param workers processes at work at a time; two or more, so that one survives
 * @param seed of all random choices
 */
public record CrashPlan(String fabric, int kills, int faults, int workers, long seed) {
    public CrashPlan {
        Checks.argument(
                Site.FABRICS.contains(fabric),
                "processes cannot share '" + fabric + "'; known: " + String.join(", ", Site.FABRICS));
        Checks.argument(kills >= 0 && faults >= 0 && kills + faults >= 1, "one kill or fault, or more");
        Checks.argument(faults == 0 || fabric.equals("tcp"), "between " + fabric + " and its processes is no network");
        Checks.argument(workers >= 2, "2 workers or more: somebody has to survive");
    }
}
