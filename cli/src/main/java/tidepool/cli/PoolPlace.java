package tidepool.cli;

import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import tidepool.cluster.ZkUrl;
import tidepool.cluster.ZooKeeperMembership;
import tidepool.fabric.FabricException;
import tidepool.fabric.FabricUrl;
import tidepool.protocol.Protocols;
import tidepool.store.StoreException;

/** The pool in ZooKeeper that a command is about. */
final class PoolPlace {
    @Parameters(
            index = "0",
            paramLabel = "URL",
            description = "zk://HOST:PORT,…/POOL, with credentials for its nodes as in tcp:// URLs.")
    String text;

    @Spec(Spec.Target.MIXEE)
    CommandSpec spec;

    FabricUrl url() {
        try {
            return FabricUrl.parse(text);
        } catch (IllegalArgumentException e) {
            throw new CommandLine.ParameterException(spec.commandLine(), e.getMessage(), e);
        }
    }

    ZkUrl place(FabricUrl url) {
        LibraryLogs.quiet();
        try {
            return ZkUrl.of(url.without(Protocols.ownParameters()).without(List.of("attempts", "watch")));
        } catch (IllegalArgumentException e) {
            throw new CommandLine.ParameterException(spec.commandLine(), e.getMessage(), e);
        }
    }

    /** Opens it, or says why not. */
    ZooKeeperMembership open() {
        try {
            return ZooKeeperMembership.open(place(url()));
        } catch (FabricException | StoreException e) {
            throw new UserError(e.getMessage());
        }
    }

    /** Its URL with all that was agreed on when it was made; closes the membership if it says something else. */
    FabricUrl whole(ZooKeeperMembership membership) {
        try {
            return membership.complete(url());
        } catch (FabricException e) {
            membership.close();
            throw new UserError(e.getMessage());
        }
    }
}
