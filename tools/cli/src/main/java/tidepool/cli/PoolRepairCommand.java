package tidepool.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import tidepool.fabric.FabricException;
import tidepool.fabric.FabricUrl;
import tidepool.node.journal.Durability;
import tidepool.node.journal.JournalDisk;
import tidepool.node.journal.JournalException;
import tidepool.node.journal.JournalVerdict;
import tidepool.node.journal.SystemDisk;
import tidepool.store.Roster;
import tidepool.store.StoreException;
import tidepool.zookeeper.JournalHighWater;
import tidepool.zookeeper.NodeEntry;
import tidepool.zookeeper.ZkUrl;
import tidepool.zookeeper.ZooKeeperMembership;

/**
 * {@code tidepool pool repair}: throws damaged or old copies away where other members hold them, and fills new ones.
 */
@Command(
        name = "repair",
        description = {
            "Check the folder of a memory node that does not run, and repair it from the other copies.",
            "A folder that is damaged, or older than what the node has served, is put aside: the node is taken"
                    + " out of the"
                    + " pool, and when it is started again it comes as a new one, whose copies are filled from"
                    + " the others.",
            "Refused where these copies are the last whole ones. Without --yes it says what would be done.",
            "Without DIR: takes out members that are gone, and fills the copies that are missing."
        })
final class PoolRepairCommand implements Callable<Integer> {
    private static final String STATIC =
            "a pool whose nodes are listed in its URL has no roster that says who holds what, so nothing can be filled"
                    + " from other copies. What can be done: ./tidepool pool verify DIR says what is wrong with the"
                    + " folder; if it is whole and was only moved, remove DIR/journal/place and start the node; if the"
                    + " journal is only too short, start the node: it is filled from the other copies when the pool is"
                    + " opened; otherwise start all nodes on empty folders, and fill the pool from where the data came."
                    + " Pools in ZooKeeper (zk://) are repaired, and backed up";

    @Mixin
    PoolPlace pool;

    @Parameters(index = "1", arity = "0..1", paramLabel = "DIR", description = "What the node was given by --dir.")
    Path folder;

    @Option(names = "--yes", description = "Do it.")
    boolean yes;

    @Option(
            names = "--believe",
            description =
                    "What DIR has is all there is: what its node acknowledged after that is lost, and other copies"
                            + " are made anew from it.")
    boolean believe;

    @Option(
            names = "--disbelieve",
            description = "Other copies are newer than DIR: its node is filled from them when the pool is opened.")
    boolean disbelieve;

    @Option(
            names = "--memory",
            paramLabel = "SIZE",
            defaultValue = "4g",
            description = "The most memory to take for the check. Default 4g.")
    String memory;

    @Spec
    CommandSpec spec;

    private PrintWriter out;

    @Override
    public Integer call() throws IOException {
        out = spec.commandLine().getOut();
        if (believe || disbelieve) return verdict();
        if (pool.url().scheme().equals("tcp")) throw new UserError(STATIC);
        ZkUrl place = pool.place(pool.url());
        if (folder != null) PoolVerifyCommand.requireAtRest(folder);
        try (PoolChange change = new PoolChange(pool, this::say)) {
            return folder == null ? members(change) : folder(place, change);
        } catch (FabricException | StoreException e) {
            throw new UserError(e.getMessage());
        }
    }

    // ---- verdicts that only an administrator can give

    private int verdict() throws IOException {
        if (believe && disbelieve)
            throw new UserError("--believe and --disbelieve contradict each other: give one of them");
        if (folder == null) throw new UserError("--believe and --disbelieve need the folder of a node: give DIR");
        PoolVerifyCommand.requireAtRest(folder);
        JournalDisk disk = new SystemDisk(new NodeHome(folder).journal());
        try {
            if (believe) JournalVerdict.believe(disk);
            else JournalVerdict.disbelieve(disk);
        } catch (JournalException e) {
            throw new UserError(e.getMessage());
        }
        say(
                believe
                        ? "what " + folder
                                + " has is believed: start the node, and the other copies are made anew from it"
                                + " when the pool is opened"
                        : "what " + folder
                                + " has is not believed: start the node, and it is filled from the other copies"
                                + " when the pool is opened");
        return 0;
    }

    // ---- the pool

    private int members(PoolChange change) {
        ZooKeeperMembership membership = change.membership();
        Roster roster = membership.read();
        Set<Integer> gone = new TreeSet<>();
        for (int i = 0; i < roster.members().size(); i++)
            if (membership.isMissing(roster.members().get(i))) gone.add(i);
        long copies = roster.partitions().stream()
                .mapToLong(one -> Math.max(0, change.replicas() - one.whole().size()))
                .sum();
        List<String> silent = change.silent(roster).stream()
                .filter(identity -> !gone.contains(roster.position(identity)))
                .toList();
        for (String identity : silent)
            say(identity + " does not answer here, though it is registered: it is taken out when most processes that"
                    + " have the pool open cannot reach it; ./tidepool pool remove --force takes it out at once");
        if (gone.isEmpty() && silent.isEmpty() && copies == 0 && roster.steady()) {
            say("nothing is to be repaired: all members are there, and all copies whole");
            return 0;
        }
        if (!gone.isEmpty()) {
            MemberCopies memberCopies = new MemberCopies(membership, roster, gone);
            if (memberCopies.refusal() != null) throw new UserError(memberCopies.refusal());
            for (int position : gone)
                say(roster.members().get(position).identity() + " is missing, and " + would() + " taken out");
            say("of these is thrown away: " + memberCopies.thrownAway());
        }
        if (copies > 0)
            say(copies + (copies == 1 ? " copy is" : " copies are") + " missing, and " + would() + " filled");
        if (!yes) return askForYes();
        Roster now = change.cared();
        say("epoch " + now.epoch() + ": " + now.members().size() + " nodes");
        if (!change.silent(now).isEmpty()) {
            say("not repaired" + change.hint(now));
            return 1;
        }
        return now.partitions().stream().allMatch(one -> one.whole().size() >= change.replicas())
                ? 0
                : tooFew(now, change.replicas());
    }

    private int tooFew(Roster now, int replicas) {
        say("there are " + now.members().size() + " nodes for " + replicas + " copies: start one more");
        return 1;
    }

    // ---- a folder

    private int folder(ZkUrl place, PoolChange change) throws IOException {
        NodeHome home = new NodeHome(folder);
        NodeHome.Owner owner = home.owner();
        if (owner == null)
            throw new UserError("no node of a pool in ZooKeeper has kept anything in " + folder
                    + (home.hasJournal() ? ". Of a node that was listed in a URL: " + STATIC : ""));
        if (!owner.pool().equals(place.pool()))
            throw new UserError(folder + " belongs to a node of the pool " + owner.pool());
        Roster roster = change.membership().read();
        requireStopped(change.membership(), owner.identity());
        int position = roster.position(owner.identity());
        String fault = position < 0
                ? owner.identity() + " was removed from the pool " + place.pool() + ": what the folder holds is old"
                : fault(place, roster, owner.identity(), home);
        if (fault == null) {
            say("nothing is to be repaired: start the node again, and it comes back as " + owner.identity());
            return 0;
        }
        say(fault);
        if (position >= 0) {
            MemberCopies memberCopies = new MemberCopies(change.membership(), roster, Set.of(position));
            if (memberCopies.refusal() != null) throw new UserError(memberCopies.refusal());
            say(owner.identity() + " " + would() + " taken out of the pool, and thrown away: "
                    + memberCopies.thrownAway());
        } else say("nothing that the pool needs " + would() + " thrown away");
        say(folder + " " + would() + " put aside");
        if (!yes) return askForYes();
        if (position >= 0) change.cared();
        Path aside = home.putAside();
        JournalHighWater.forget(place, owner.identity());
        say("put aside as " + aside + "; remove it when nobody wants to look at it any more");
        say("start the node again: it comes as a new one, and is filled when copies are missing, or by ./tidepool pool"
                + " add");
        return 0;
    }

    private static void requireStopped(ZooKeeperMembership membership, String identity) {
        for (NodeEntry node : membership.nodes())
            if (node.identity().equals(identity) && !membership.isGone(node.member()))
                throw new UserError(identity + " runs, at " + node.address()
                        + ": the folder is not the one that it serves, or it is on another machine. Stop it first");
    }

    /** Returns the fault of a member's folder, or null if it has none. */
    private String fault(ZkUrl place, Roster roster, String identity, NodeHome home) throws IOException {
        if (Files.isDirectory(home.journal())) {
            try (NodeFolders found = new NodeFolders(out, maxBytes())) {
                found.journal(folder);
                if (found.judge() > 0) return "what is kept in " + folder + " is damaged";
            }
        }
        try {
            JournalSummary summary = home.hasJournal() ? JournalSummary.at(home.journal()) : null;
            return FolderAge.fault(place, roster, identity, summary, Durability.STRICT);
        } catch (JournalException e) {
            return e.getMessage();
        }
    }

    private long maxBytes() {
        try {
            return FabricUrl.parseSize("--memory", memory);
        } catch (IllegalArgumentException e) {
            throw new CommandLine.ParameterException(spec.commandLine(), e.getMessage(), e);
        }
    }

    // ---- texts

    private String would() {
        return yes ? "is" : "would be";
    }

    private int askForYes() {
        say("nothing was changed: --yes does it");
        return 1;
    }

    private void say(String line) {
        out.println(line);
        out.flush();
    }
}
