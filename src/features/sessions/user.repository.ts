import { col, fn, where } from 'sequelize';
import { Repository } from '../../persistence/repositories/repository.js';
import type { UserRow } from '../../persistence/models/access.js';

export type { UserRow };

/** Users of the whole service; only platform work sees them. */
export class UserRepository extends Repository {
  async findById(id: string): Promise<UserRow | undefined> {
    const user = await this.bound.models.users.findOne({
      where: { id },
      transaction: this.bound.transaction,
    });
    return user?.get();
  }

  /** The user of an e-mail address, ignoring case. */
  async findByEmail(email: string): Promise<UserRow | undefined> {
    // One statement for those who exist and for those who do not.
    const user = await this.bound.models.users.findOne({
      where: where(fn('lower', col('email')), fn('lower', email)),
      transaction: this.bound.transaction,
    });
    return user?.get();
  }

  async insert(user: UserRow): Promise<void> {
    await this.bound.models.users.create(user, { transaction: this.bound.transaction });
    const { passwordHash: _never, ...after } = user;
    this.record({
      action: 'user.create',
      target: { type: 'user', id: user.id, name: user.email },
      before: null,
      after: { ...after },
    });
  }

  /** Notes in the audit log that a session began. */
  recordLogin(user: UserRow, sessionId: string): void {
    this.record({
      action: 'session.create',
      target: { type: 'user', id: user.id, name: user.email },
      before: null,
      after: { sessionId },
    });
  }
}
